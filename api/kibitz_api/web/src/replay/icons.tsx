import type { VNode } from "preact";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  trickBack: "M12 5l-8 7 8 7zM20 5l-8 7 8 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 4.5l11 7.5-11 7.5z",
  pause: "M8.5 5v14M15.5 5v14",
  on: "M8 5l9 7-9 7z",
  trickOn: "M12 5l8 7-8 7zM4 5l8 7-8 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  rotate: "M20 12a8 8 0 1 1-2.5-5.8M20 3v4.5h-4.5",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  eyeOff: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM4 20L20 4",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
  suits: "M12 20C9 16.5 4.5 13.7 4.5 9.5A3.9 3.9 0 0 1 12 8a3.9 3.9 0 0 1 7.5 1.5c0 4.2-4.5 7-7.5 10.5z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
} as const;

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
