import { type JSX } from "preact";

/** A headline is no longer than this: what stands behind its first colon is smaller then. */
const LONGEST_HEADLINE = 150;

/** The words of a heading. */
export function Headline({ text }: { text: string }): JSX.Element {
  const end = text.length > LONGEST_HEADLINE ? text.lastIndexOf(": ", LONGEST_HEADLINE) + 1 : 0;
  if (end === 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, end)}
      <span class="rest">{text.slice(end)}</span>
    </>
  );
}
