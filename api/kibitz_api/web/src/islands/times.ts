const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** Shows `<time data-date>` as weekday, date and time in the reader's zone, other `<time datetime>` as "3 minutes ago", with the full date in the reader's zone as title; not `data-exact`. */
export function times(part: ParentNode): void {
  for (const element of part.querySelectorAll<HTMLTimeElement>("time[datetime]:not([data-exact])")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    element.title = moment.toLocaleString();
    element.textContent = element.dataset.date === undefined ? ago(moment, new Date()) : date(moment);
  }
}

export function date(moment: Date, timeZone?: string): string {
  return moment.toLocaleString("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
    timeZone,
  });
}

export function ago(moment: Date, now: Date): string {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) > 14 * 86_400) return moment.toLocaleDateString("en", { dateStyle: "medium" });
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}
