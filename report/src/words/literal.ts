// Any text as Markdown that shows just that text: labels come from whoever made a run file.

import { shown } from "./numbers";

/** Zero width: it keeps a site from making a link, a mention or a picture of what stands around it. */
const APART = "&#8203;";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "|": "&#124;",
  "\\": "&#92;",
  "`": "&#96;",
};

/** Text in one line, as text: no markup, no link, no mention, and no cell of a table ends in it. */
export function literal(text: string, most = 2000): string {
  return (
    shown(text, most)
      .replace(/\p{Surrogate}/gu, "\ufffd")
      .trim()
      .replace(/[&<>|\\`]/g, (c) => ENTITIES[c] ?? c)
      .replace(/[*_[\]~$]/g, "\\$&")
      // These begin a heading or a list at the start of a line.
      .replace(/^[-+#=]/, "\\$&")
      .replace(/^\d+(?=[.)](\s|$))/, `$&${APART}`)
      // Sites link @who, #1, GH-1, www. and https://, and draw :faces:, in what Markdown leaves as text.
      .replace(/@(?=\w)|(?<!&)#(?=\d)|\bGH-(?=\d)|\bwww(?=\.)|(?<!\d):(?=\S)|:(?=[^\s\d])/gi, `$&${APART}`)
  );
}
