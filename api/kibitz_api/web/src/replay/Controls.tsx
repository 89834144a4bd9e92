import type { VNode } from "preact";
import { lastStep, type Cursor, type Move } from "./cursor";
import { Icon, type IconName } from "./icons";
import type { Replay } from "./model";

export const SPEEDS = [0.5, 1, 2, 4] as const;

interface ControlsProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
  readonly playing: boolean;
  readonly speed: number;
  readonly move: (move: Move) => void;
  readonly go: (deal: number, step: number) => void;
  readonly play: () => void;
  readonly setSpeed: (speed: number) => void;
}

export function Controls(props: ControlsProps): VNode {
  const { replay, cursor, playing, speed, move, go, play, setSpeed } = props;
  const deal = replay.deals[cursor.deal];
  const last = deal ? lastStep(deal) : 0;
  const button = (icon: IconName, label: string, what: Move): VNode => (
    <IconButton icon={icon} label={label} press={() => move(what)} />
  );
  return (
    <div class="controls">
      <input
        type="range"
        aria-label="Step of the deal"
        aria-valuetext={`${cursor.step} of ${last}`}
        min={0}
        max={last}
        value={cursor.step}
        onInput={(event) => go(cursor.deal, Number(event.currentTarget.value))}
      />
      <div class="buttons">
        {button("first", "Start of the deal (Home)", "first")}
        {button("trickBack", "Previous trick ([)", "previousTrick")}
        {button("back", "Back (←)", "previous")}
        <IconButton
          icon={playing ? "pause" : "play"}
          label={playing ? "Pause (Space)" : "Play (Space)"}
          press={play}
          strong
        />
        {button("on", "On (→)", "next")}
        {button("trickOn", "Next trick (])", "nextTrick")}
        {button("last", "End of the deal (End)", "last")}
        <label class="speed">
          <span class="visually-hidden">Speed</span>
          <select
            value={String(speed)}
            onChange={(event) => setSpeed(Number(event.currentTarget.value))}
          >
            {SPEEDS.map((rate) => (
              <option key={rate} value={String(rate)}>
                {rate}×
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly press: () => void;
  readonly strong?: boolean;
  readonly pressed?: boolean;
}

export function IconButton({ icon, label, press, strong, pressed }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class={strong ? "icon strong" : "icon"}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
}
