import { type JSX } from "preact";
import { useState } from "preact/hooks";

interface Props {
  summary: string;
  children: () => JSX.Element;
}

/** A part that a reader opens; it is made then, for much of a page is never looked at. */
export function Fold({ summary, children }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  );
}

/** Prints all sections with all that can be opened; a browser's own command prints the answer. */
export function printAll(): void {
  const folds = [...document.querySelectorAll<HTMLDetailsElement>("details.fold")];
  folds.forEach((fold) => (fold.open = true));
  document.body.classList.add("print-all");
  addEventListener("afterprint", () => document.body.classList.remove("print-all"), { once: true });
  // On a busy machine what was opened is there some frames later.
  const printWhenMade = (): void => {
    if (folds.every((fold) => fold.childElementCount > 1)) print();
    else requestAnimationFrame(printWhenMade);
  };
  printWhenMade();
}
