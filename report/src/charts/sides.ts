// Which numbers of threads stand side by side in a picture.

import { type Data } from "../data";
import { isWanted, threadChoices, type View } from "../view";

/** Where there are more numbers of threads, only the fewest and the most stand side by side. */
const MOST_SIDES = 3;

/** Those that were asked for, or one thread beside all: the fewest first. A reader who chose another sees that alone. */
export function sides(data: Data, view: View): string[] {
  const rank = (threads: string): number => (threads === "all" ? Infinity : Number(threads));
  const choices = threadChoices(data).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const asked = data.threads.length > 0 ? data.threads : usual(choices);
  const together = choices.filter((threads) => asked.includes(threads));
  return together.includes(view.threads) && together.length <= MOST_SIDES ? together : [view.threads];
}

function usual(choices: string[]): string[] {
  const ends = [choices[0] ?? "1", choices[choices.length - 1] ?? "1"];
  const isPair = ends.join() === "1,all";
  return isPair || choices.length > MOST_SIDES ? ends : choices;
}

/** Whether a row's workload is wanted on any of these numbers of threads, and the row is of one of them. */
export function isOnSide(data: Data, view: View, row: number, all: string[]): boolean {
  const threads = data.rows[row]?.threads ?? "";
  return all.includes(threads) && isWanted(data, view, row, threads);
}
