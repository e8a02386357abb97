import { type JSX } from "preact";
import { type Data } from "../data";
import { caveatInWords, type Caveat } from "../words/caveats";

/** Caveats that must be known with the figures, numbered as the marks are. */
export function Caveats({ data, caveats }: { data: Data; caveats: Caveat[] }): JSX.Element | null {
  if (caveats.length === 0) return null;
  return (
    <section id="caveats" aria-labelledby="caveats-title">
      <h2 id="caveats-title" tabIndex={-1}>
        Caveats
      </h2>
      <ol>
        {caveats.map((caveat) => (
          <li key={caveat.text} class={caveat.isAlarm ? "unfit" : ""}>
            {caveatInWords(data, caveat)}
          </li>
        ))}
      </ol>
    </section>
  );
}
