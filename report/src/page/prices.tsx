import { type Data } from "../data";
import { half, scaled } from "../judge/interval";
import { overall } from "../judge/score";
import { answerable, currency, drawn, priceOf, type View } from "../view";
import { ends, factor, quantity, shown, threadsInWords } from "../words/numbers";

interface Props {
  data: Data;
  view: View;
  change: (change: Partial<View>) => void;
}

/** Prices that the reader may change, and what follows: the price at which both are even. */
export function Prices({ data, view, change }: Props): preact.JSX.Element {
  const unit = currency(data);
  const set = (group: number, text: string): void => {
    const prices = new Map(view.prices);
    const price = Number(text);
    if (text.trim() !== "" && Number.isFinite(price) && price > 0) prices.set(group, price);
    else prices.delete(group);
    change({ prices });
  };
  const ours = priceOf(data, view, view.baseline);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Prices">
      <table class="prices">
        <caption>
          Prices an hour in {unit}; change them to see what follows. Overall, on{" "}
          {threadsInWords(view.threads)}.
        </caption>
        <thead>
          <tr>
            <th scope="col">machine</th>
            <th scope="col">price an hour</th>
            <th scope="col">a CPU</th>
            <th scope="col">score for the money</th>
            <th scope="col">95 %</th>
            <th scope="col">even at</th>
            <th scope="col">95 %</th>
          </tr>
        </thead>
        <tbody>
          {drawn(view).map((group) => {
            const label = shown(data.groups[group]?.label ?? "", 60);
            const price = priceOf(data, view, group);
            const cpus = data.groups[group]?.cpu_count;
            const isOther = answerable(view).includes(group);
            const score = isOther ? overall(data, view.baseline, group, view.threads)?.interval : null;
            const adjusted = score && ours !== null && price !== null ? scaled(score, ours / price) : null;
            const even = score && ours !== null ? scaled(score, ours) : null;
            return (
              <tr key={group}>
                <th scope="row">{label}</th>
                <td>
                  <input
                    type="number"
                    name={`price-${group}`}
                    min="0"
                    step="any"
                    aria-label={`Price an hour of ${label}`}
                    value={price ?? ""}
                    onChange={(event) => set(group, event.currentTarget.value)}
                  />
                </td>
                <td>{price !== null && cpus ? quantity(price / cpus) : "–"}</td>
                <td>{isOther ? (adjusted ? factor(adjusted.centre) : "–") : "baseline"}</td>
                <td>{adjusted ? ends(adjusted) : ""}</td>
                <td>{even ? quantity(even.centre) : ""}</td>
                <td>
                  {even
                    ? Number.isFinite(half(even))
                      ? `${quantity(even.low)} to ${quantity(even.high)}`
                      : "not known"
                    : ""}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
