import { render } from "preact";
import type { Replay } from "./model";
import { Viewer } from "./Viewer";

/** Fetches the replay and puts the viewer in place of the readable list; on failure the list stays. */
export async function mount(root: HTMLElement): Promise<void> {
  const source = root.dataset["replay"];
  if (!source) return;
  try {
    const answer = await fetch(source, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const replay = (await answer.json()) as Replay;
    root.replaceChildren();
    render(<Viewer replay={replay} />, root);
    root.dataset["ready"] = "";
  } catch (error) {
    const note = document.createElement("p");
    note.className = "notice bad";
    const cause = error instanceof Error ? error.message : String(error);
    note.textContent = `The viewer could not load this match (${cause}). The moves are listed below.`;
    root.prepend(note);
    root.dataset["failed"] = "";
  }
}
