import { useState } from "preact/hooks";
import { type Data } from "../data";
import { isKnown } from "../judge/interval";
import { currency, drawn, LEAST_PRICE, MOST_PRICE, priceOf, type View } from "../view";
import { nameOf } from "../words/names";
import { fourDigits, shown, threadsInWords } from "../words/numbers";
import { committed, priced, priceEnds, ratioEnds, sourceOf } from "../words/prices";

interface Props {
  data: Data;
  view: View;
  change: (change: Partial<View>) => void;
}

/** Prices that the reader may change, and what follows: break-even prices. */
export function Prices({ data, view, change }: Props): preact.JSX.Element {
  const unit = currency(data);
  const [problem, setProblem] = useState("");
  const set = (group: number, input: HTMLInputElement): void => {
    if (!input.validity.valid) {
      const kept = priceOf(data, view, group);
      input.value = String(kept ?? "");
      setProblem(`Not a price: enter a number between ${LEAST_PRICE} and ${fourDigits(MOST_PRICE)} ${unit}.`);
      return;
    }
    setProblem("");
    const prices = new Map(view.prices);
    if (input.value === "") prices.delete(group);
    else prices.set(group, Number(input.value));
    change({ prices });
  };
  const [isWhole, setWhole] = useState(false);
  const machines = priced(data, view);
  const all = isWhole ? machines : machines.slice(0, drawn(view).length);
  const hasSource = all.some(({ group }) => sourceOf(data, view, group) !== "");
  // Figures that were measured once have no interval.
  const hasErrorBars = all.some(
    ({ group, adjusted, breakEven }) =>
      group !== view.baseline && [adjusted, breakEven].some((interval) => interval && isKnown(interval)),
  );
  const isJudged = all.some(
    ({ group, adjusted, breakEven }) => group !== view.baseline && (adjusted ?? breakEven) !== null,
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Prices">
      <table class="prices">
        <caption>
          Prices per hour in {unit}; edit them to see the effect. Overall score on{" "}
          {threadsInWords(view.threads)}. Break-even: the price at which a machine does as much per {unit} as{" "}
          {nameOf(data, view.baseline, 40)}.
        </caption>
        <thead>
          <tr>
            <th scope="col">machine</th>
            <th scope="col">price per hour</th>
            <th scope="col">per CPU</th>
            {isJudged ? (
              <>
                <th scope="col">score per {unit}</th>
                {hasErrorBars ? <th scope="col">95 %</th> : null}
                <th scope="col">break-even price</th>
                {hasErrorBars ? <th scope="col">95 %</th> : null}
              </>
            ) : null}
            {hasSource ? <th scope="col">source</th> : null}
          </tr>
        </thead>
        <tbody>
          {all.map(({ group, price, perCpu, adjusted, breakEven }) => {
            const label = shown(data.groups[group]?.label ?? "", 60);
            return (
              <tr key={group}>
                <th scope="row">
                  {label}
                  {group === view.baseline ? <span class="muted"> (baseline)</span> : null}
                </th>
                <td>
                  <input
                    type="number"
                    name={`price-${group}`}
                    min={LEAST_PRICE}
                    max={MOST_PRICE}
                    step="any"
                    aria-label={`Price an hour of ${label}`}
                    value={price ?? ""}
                    onChange={(event) => set(group, event.currentTarget)}
                  />
                </td>
                <td>{perCpu === null ? "–" : fourDigits(perCpu)}</td>
                {isJudged ? (
                  <>
                    <td>{adjusted ? fourDigits(adjusted.centre) : "–"}</td>
                    {hasErrorBars ? <td>{adjusted ? ratioEnds(adjusted) : ""}</td> : null}
                    <td>{breakEven ? fourDigits(breakEven.centre) : "–"}</td>
                    {hasErrorBars ? <td>{breakEven ? priceEnds(breakEven) : ""}</td> : null}
                  </>
                ) : null}
                {hasSource ? <td>{sourceOf(data, view, group)}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </table>
      {all.length < machines.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {machines.length} machines
        </button>
      ) : null}
      <p role="status" class="mark">
        {problem}
      </p>
      <Commitments data={data} view={view} />
    </div>
  );
}

/** Prices of each machine under each commitment, and the work for that money. */
function Commitments({ data, view }: { data: Data; view: View }): preact.JSX.Element | null {
  const all = committed(data, view);
  const unit = currency(data);
  if (all.length === 0) return null;
  return (
    <table class="commitments">
      <caption>
        By commitment, in {unit} per hour. Score per {unit}: over {nameOf(data, view.baseline, 40)} at the
        price above. Break-even: against the same commitment.
      </caption>
      <thead>
        <tr>
          <th scope="col">machine</th>
          <th scope="col">commitment</th>
          <th scope="col">price per hour</th>
          <th scope="col">score per {unit}</th>
          <th scope="col">95 %</th>
          <th scope="col">break-even price</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ group, price, adjusted, breakEven }) => (
          <tr key={`${group}-${price.commitment ?? ""}`}>
            <th scope="row">{shown(data.groups[group]?.label ?? "", 60)}</th>
            <td>{shown(price.commitment ?? "unknown", 40)}</td>
            <td>{fourDigits(price.per_hour)}</td>
            <td>{adjusted ? fourDigits(adjusted.centre) : "–"}</td>
            <td>{adjusted ? ratioEnds(adjusted) : ""}</td>
            <td>{breakEven ? fourDigits(breakEven.centre) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
