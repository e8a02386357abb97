import { useMemo } from "preact/hooks";
import { type Data } from "../data";
import { type View } from "../view";
import { answer } from "../words/answer";

export function Answer({ data, view }: { data: Data; view: View }): preact.JSX.Element {
  const sentences = useMemo(() => answer(data, view), [data, view]);
  return (
    <section id="answer" aria-labelledby="answer-title">
      <h2 id="answer-title" tabIndex={-1}>
        The answer
      </h2>
      <div aria-live="polite">
        {sentences.map(({ kind, text }, place) => (
          <p key={place} class={`sentence ${kind}`}>
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}
