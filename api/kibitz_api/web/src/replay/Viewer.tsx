import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Controls, IconButton } from "./Controls";
import { at, fromAddress, moved, permalink, type Cursor, type Move } from "./cursor";
import { Help } from "./Help";
import { useAddress, useAutoplay, useKeys } from "./hooks";
import type { Command } from "./keys";
import type { Replay } from "./model";
import { Moves } from "./Moves";
import { position } from "./position";
import { Remark } from "./Remark";
import { Scores } from "./Scores";
import { Seatings } from "./Seatings";
import { toggleSuits } from "./suits";
import { swipes } from "./swipe";
import { Table } from "./Table";
import { placeName, story } from "./words";

export function Viewer({ replay }: { readonly replay: Replay }): VNode {
  const [cursor, setCursor] = useState(() => fromAddress(replay, location.pathname, location.search));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [help, setHelp] = useState(false);
  const [copied, setCopied] = useState(false);
  const table = useRef<HTMLDivElement>(null);

  const move = useCallback((what: Move) => setCursor((from) => moved(replay, from, what)), [replay]);
  const go = useCallback(
    (deal: number, step: number) => setCursor((from) => at(replay, from, deal, step)),
    [replay],
  );
  // Keys can follow each other faster than effects run: what they need to know is kept here.
  const latest = useRef(cursor);
  latest.current = cursor;
  const copy = useCallback(
    () => void copyAddress(location.origin + permalink(replay, latest.current)).then(setCopied),
    [replay],
  );

  const obey = useCallback(
    (what: Command) => {
      if (what === "play") setPlaying((on) => !on);
      else if (what === "help") setHelp((on) => !on);
      else if (what === "close") setHelp(false);
      else if (what === "copy") copy();
      else if (what === "suits") toggleSuits();
      else move(what);
    },
    [move, copy],
  );

  useAddress(replay, cursor, setCursor);
  useKeys(obey);
  useAutoplay(replay, cursor, playing, speed, move, setPlaying);
  useEffect(() => (table.current ? swipes(table.current, move) : undefined), [move]);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const now = position(replay, cursor);
  if (!now) return <p class="empty">This match has no deals to show.</p>;
  return (
    <div class="viewer">
      <div class="stage">
        <Bar replay={replay} cursor={cursor} copied={copied} obey={obey} go={go} />
        <div ref={table} class="table-area">
          <Table replay={replay} position={now} />
        </div>
        <p class="story" role="status">
          {story(replay, now)}
        </p>
        <Remark replay={replay} deal={now.deal} cursor={cursor} />
        <Controls
          replay={replay}
          cursor={cursor}
          playing={playing}
          speed={speed}
          move={move}
          go={go}
          play={() => obey("play")}
          setSpeed={setSpeed}
        />
      </div>
      <aside class="side">
        <Scores replay={replay} position={now} cursor={cursor} />
        <Moves replay={replay} cursor={cursor} go={(step) => go(cursor.deal, step)} />
        <Seatings replay={replay} cursor={cursor} />
      </aside>
      <Help open={help} close={() => setHelp(false)} />
    </div>
  );
}

interface BarProps {
  readonly replay: Replay;
  readonly cursor: Cursor;
  readonly copied: boolean;
  readonly obey: (what: Command) => void;
  readonly go: (deal: number, step: number) => void;
}

function Bar({ replay, cursor, copied, obey, go }: BarProps): VNode {
  const eye = cursor.open ? "eye" : "eyeOff";
  const view = cursor.open ? "all hands open" : `as ${placeName(replay, cursor.seat)} knew it`;
  return (
    <div class="bar">
      <div class="deal-choice">
        <IconButton icon="up" label="Previous deal (↑)" press={() => obey("previousDeal")} />
        <select
          aria-label="Deal"
          value={String(cursor.deal)}
          onChange={(event) => go(Number(event.currentTarget.value), 0)}
        >
          {replay.deals.map((deal, index) => (
            <option key={deal.number} value={String(index)}>
              Deal {index + 1} of {replay.deals.length}
              {deal.forfeit ? ", forfeited" : ""}
            </option>
          ))}
        </select>
        <IconButton icon="down" label="Next deal (↓)" press={() => obey("nextDeal")} />
      </div>
      <p class="perspective">{copied ? "Link copied" : view}</p>
      <div class="tools">
        <IconButton
          icon={eye}
          label={cursor.open ? "Show only what this seat knew (h)" : "Show all hands (h)"}
          press={() => obey("reveal")}
          pressed={cursor.open}
        />
        <IconButton icon="rotate" label="Look from the next seat (f)" press={() => obey("rotate")} />
        <IconButton icon="suits" label="Two or four colours (4)" press={() => obey("suits")} />
        <IconButton icon="link" label="Copy link to this position (c)" press={() => obey("copy")} />
        <span class="key-help">
          <IconButton icon="help" label="Keys (?)" press={() => obey("help")} />
        </span>
      </div>
    </div>
  );
}

async function copyAddress(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false;
  }
}
