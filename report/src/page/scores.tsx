import { type JSX } from "preact";
import { type Theme } from "../charts/chart";
import { colourOf } from "../charts/plot";
import { scoreOf, scoresOfMany } from "../charts/scores";
import { type Data } from "../data";
import { type View } from "../view";
import { nameOf } from "../words/names";
import { shown } from "../words/numbers";
import { confidenceOfFactor, times } from "../words/speed";
import { Bar, endOf } from "./bar";
import { Table } from "./table";

/** More lines are scrolled; so many are printed beside the answer, as style.css has it. */
const MOST_ON_PAPER = 24;

interface Props {
  data: Data;
  view: View;
  theme: Theme;
}

/** A line a machine in the ranking's order, a column a category. */
export function Scores({ data, view, theme }: Props): JSX.Element | null {
  const scores = scoresOfMany(data, view);
  if (!scores) return null;
  const most = Math.max(1, ...scores.all.map(({ interval }) => endOf(interval)));
  return (
    <div
      class={`scroll scores ${scores.groups.length > MOST_ON_PAPER ? "tall" : ""}`}
      tabIndex={0}
      role="region"
      aria-label="Scores"
    >
      <Table
        heads={["machine", ...scores.categories.map((category) => shown(category, 40))]}
        rows={scores.groups.map((group) => [
          nameOf(data, group, 40),
          ...scores.categories.map((category) => {
            const score = scoreOf(scores, view, group, category);
            return score ? (
              <span class="score" title={group === view.baseline ? "" : confidenceOfFactor(score)}>
                <Bar length={score} most={most} colour={colourOf(view, theme, group)} />
                {times(score.centre)}
              </span>
            ) : (
              "–"
            );
          }),
        ])}
      />
      {scores.groups.length > MOST_ON_PAPER ? (
        <p class="on-paper">
          The first {MOST_ON_PAPER} of {scores.groups.length} machines.
        </p>
      ) : null}
    </div>
  );
}
