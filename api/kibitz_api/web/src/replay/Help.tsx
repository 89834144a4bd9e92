import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { HELP } from "./keys";

interface HelpProps {
  readonly open: boolean;
  readonly close: () => void;
}

/** The list of keys, as a modal dialog of the browser's own. */
export function Help({ open, close }: HelpProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {HELP.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="small muted">On a phone, swipe over the table to step.</p>
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
