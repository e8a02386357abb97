import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { type Theme } from "../charts/chart";
import { architectureColours } from "../charts/ranking";
import { type Data } from "../data";
import { isKnown } from "../judge/interval";
import { ofWork, ranking, type Ranked } from "../judge/measure";
import { currency, hasPrices, priceOf, toHash, type View } from "../view";
import { marksOf, type Caveat } from "../words/caveats";
import { architectureOf, nameOf, threadsOf } from "../words/names";
import { quantity } from "../words/numbers";
import { confidence, times } from "../words/speed";

/** So many are shown at first. */
const FIRST = 12;

interface Props {
  data: Data;
  view: View;
  theme: Theme;
  caveats: Caveat[];
}

/** All machines by their score; each leads to its head-to-head with the first. */
export function Ranking({ data, view, theme, caveats }: Props): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const all = ranking(data, view, ofWork(data, view.threads));
  if (all.length === 0) return null;
  const colours = architectureColours(
    all.map(({ group }) => architectureOf(data, group) ?? "unknown"),
    theme.groups,
  );
  const groups = all.map(({ group }) => group);
  const most = Math.max(
    ...all.map(({ value, held }) => (held && isKnown(held.interval) ? held.interval.high : value)),
  );
  const shown = isWhole ? all : all.slice(0, FIRST);
  return (
    <div class={`ranking ${hasPrices(data, view) ? "priced" : ""}`}>
      <p class="muted">
        Overall score on {threadsOf(data, groups, view.threads)}; {nameOf(data, view.baseline, 40)} = 1.
        Choose a machine to compare it with the leader.{" "}
        {colours.size > 1 ? <Colours colours={colours} /> : null}
      </p>
      <ol>
        {shown.map((of) => (
          <li key={of.group}>
            <a href={`#${headToHead(data, view, groups, of.group)}`}>
              <span class="name">
                {nameOf(data, of.group, 40)}
                <sup>{marksOf(caveats, of.group)}</sup>
              </span>
              <Bar
                of={of}
                most={most}
                colour={colours.get(architectureOf(data, of.group) ?? "unknown") ?? ""}
              />
              <span class="figure" title={of.held ? confidence(of.held.interval) : ""}>
                {times(of.value)}
              </span>
              {hasPrices(data, view) ? <span class="price">{price(data, view, of.group)}</span> : null}
            </a>
          </li>
        ))}
      </ol>
      {shown.length < all.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {all.length} machines
        </button>
      ) : null}
    </div>
  );
}

function price(data: Data, view: View, group: number): string {
  const of = priceOf(data, view, group);
  return of === null ? "" : `${quantity(of)} ${currency(data)}/h`;
}

/** The address of a machine against the leader; of the leader against the next. */
function headToHead(data: Data, view: View, groups: number[], group: number): string {
  const [first = 0, second = 0] = groups;
  return toHash(data, { ...view, baseline: group === first ? second : first, shown: [group] });
}

function Bar({
  of: { value, held },
  most,
  colour,
}: {
  of: Ranked;
  most: number;
  colour: string;
}): JSX.Element {
  const share = (of: number): string => `${((of / most) * 100).toFixed(2)}%`;
  const interval = held && isKnown(held.interval) ? held.interval : null;
  return (
    <span class="track">
      <span class="bar-of" style={{ width: share(value), background: colour }} />
      {interval ? (
        <span class="ci" style={{ left: share(interval.low), width: share(interval.high - interval.low) }} />
      ) : null}
    </span>
  );
}

function Colours({ colours }: { colours: Map<string, string> }): JSX.Element {
  return (
    <>
      {[...colours].map(([name, colour]) => (
        <span key={name} class="key">
          <span style={{ background: colour }} /> {name}
        </span>
      ))}
    </>
  );
}
