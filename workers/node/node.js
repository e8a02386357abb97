#!/bin/sh
':' //; command -v node > /dev/null && exec node "$0" "$@"; echo '{"answer":"error","kind":"unavailable","message":"node is not in PATH","hint":"install Node 18 or newer"}'; exit 1
// Work of programs in JavaScript on Node as it is installed. The line above is the shell's, which finds Node.
"use strict";

const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const kit = require(path.join(__dirname, "../../share/sizeup/kits/node/sizeup_kit.js"));

class JsonParse {
  static verified = "the tree, written again, is the document";

  constructor(_parameters, inputs) {
    this.document = inputs.data;
  }

  /** From bytes, as a server gets them. */
  op() {
    return JSON.parse(this.document.toString("utf8"));
  }

  output(tree) {
    return Buffer.from(JSON.stringify(tree));
  }

  check(output) {
    if (!output.equals(this.document)) throw new kit.WrongAnswer("what was read and written again is not the document");
  }

  bytesPerOp() {
    return this.document.length;
  }
}

class JsonEncode extends JsonParse {
  static verified = "the text is the document";

  constructor(parameters, inputs) {
    super(parameters, inputs);
    this.tree = JSON.parse(this.document.toString("utf8"));
  }

  op() {
    return Buffer.from(JSON.stringify(this.tree));
  }

  output(text) {
    return text;
  }
}

const NOWHERE = 2 ** 32 - 1; // a group that has no part in a match

class RegexFind {
  static verified = "matches are where another engine found them";

  constructor(parameters, inputs) {
    this.bytes = inputs.data.length;
    // A letter for each byte.
    this.text = inputs.data.toString("latin1");
    const [, flags = "", source] = /^(?:\(\?([im]+)\))?(.*)$/s.exec(inputs.pattern.toString("latin1").trimEnd());
    this.regex = new RegExp(source, `g${flags}`);
    this.spans = new RegExp(source, `dg${flags}`);
    this.hasGroups = parameters.finds === "groups";
    this.expected = parameters.spans_sha256;
  }

  op() {
    let found = 0;
    this.regex.lastIndex = 0;
    for (let match; (match = this.regex.exec(this.text)) !== null;) {
      found += this.hasGroups ? (match.at(-1)?.length ?? 0) : 1;
    }
    return found;
  }

  /** Start and end of each match, or of each of its groups, as numbers of 32 bits. */
  output() {
    const places = [];
    for (const { indices } of this.text.matchAll(this.spans)) {
      const groups = this.hasGroups ? indices : [indices[0]];
      for (const group of groups) places.push(...(group ?? [NOWHERE, NOWHERE]));
    }
    const output = Buffer.alloc(4 * places.length);
    places.forEach((place, at) => output.writeUInt32LE(place, 4 * at));
    return output;
  }

  check(output) {
    const found = createHash("sha256").update(output).digest("hex");
    if (found !== this.expected) {
      throw new kit.WrongAnswer(`the spans that were found have SHA-256 ${found}, not ${this.expected}`);
    }
  }

  bytesPerOp() {
    return this.bytes;
  }
}

const share = path.join(__dirname, "../../share/sizeup/node");
const versions = require(path.join(share, "versions.json"));
let element;

/** A table of orders as a shop's page shows it, a component for each row. */
function Table({ orders }) {
  return element(
    "table",
    { className: "orders" },
    element("tbody", null, orders.map((order) => element(Row, { key: order.number, order }))),
  );
}

function Row({ order }) {
  const { number, name, city, total, paid } = order;
  return element(
    "tr",
    { className: paid ? "paid" : "open", "data-number": number },
    element("td", null, number),
    element("td", { title: city }, name),
    element("td", null, element("a", { href: `/orders/${number}` }, city)),
    element("td", { style: { textAlign: "right" } }, total.toFixed(2)),
    element("td", null, paid ? element("b", null, "paid") : null),
  );
}

const escaped = (text) =>
  text.replace(/[&<>"']/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[letter]);

/** Renders the table without React. */
const written = (orders) => {
  const rows = orders.map(({ number, name, city, total, paid }) => {
    const cells = [
      `<td>${number}</td>`,
      `<td title="${escaped(city)}">${escaped(name)}</td>`,
      `<td><a href="/orders/${number}">${escaped(city)}</a></td>`,
      `<td style="text-align:right">${total.toFixed(2)}</td>`,
      `<td>${paid ? "<b>paid</b>" : ""}</td>`,
    ];
    return `<tr class="${paid ? "paid" : "open"}" data-number="${number}">${cells.join("")}</tr>`;
  });
  return `<table class="orders"><tbody>${rows.join("")}</tbody></table>`;
};

class Render {
  static verified = "the page is the one that is written without React";

  constructor(parameters, inputs) {
    ({ createElement: element, renderToString: this.render } = require(path.join(share, "react.cjs")));
    // The orders of the document, again and again, with numbers of their own.
    const { orders } = JSON.parse(inputs.document.toString("utf8"));
    this.orders = Array.from({ length: parameters.rows }, (_, at) => {
      const { customer, shipping, total, paid } = orders[at % orders.length];
      return { number: 1 + at, name: customer.name, city: shipping.city, total, paid };
    });
    this.expected = Buffer.from(written(this.orders));
  }

  op() {
    return this.render(element(Table, { orders: this.orders }));
  }

  output(page) {
    return Buffer.from(page);
  }

  check(output) {
    if (!output.equals(this.expected)) throw new kit.WrongAnswer("the page is not the one that is written without React");
  }
}

class Minify {
  static verified = "the minified program is the known one";
  // SHA-256 of what the pinned version of terser makes of the pinned version of React.
  static known = "338999e88046c5882a8f023cd9f0a695e65e2ed0aa2e3d59ba994ed4a998e552";

  constructor() {
    this.minify = require(path.join(share, "terser.cjs")).minify_sync;
    this.program = readFileSync(path.join(share, "program.js"), "utf8");
  }

  op() {
    return this.minify(this.program).code;
  }

  output(program) {
    return Buffer.from(program);
  }

  check(output) {
    const found = createHash("sha256").update(output).digest("hex");
    if (found !== Minify.known) throw new kit.WrongAnswer(`the minified program has SHA-256 ${found}, not ${Minify.known}`);
  }
}

// SHA-256 of the spans of each pattern of the tables, as Rust's regex found them.
const spans = kit.oneOf(
  "fd03b2f132dde08c9e19cc14d329faee621ab0c86e7131135ae1e10404f248dd",
  "f19b3d9a34eeff5cefb759d831006eace66b5beaaabdd1c0a27a9f9e6ee4796b",
  "f15923648e84fca524a21e909f64c67775bba887e9933cfee2fdb00b4619764d",
);
kit.run({
  name: "node",
  operations: [
    { name: "json-parse/node", work: JsonParse, inputs: ["data"] },
    { name: "json-encode/node", work: JsonEncode, inputs: ["data"] },
    {
      name: "regex-find/node",
      work: RegexFind,
      parameters: { finds: kit.oneOf("matches", "groups"), spans_sha256: spans },
      inputs: ["data", "pattern"],
    },
    {
      name: "render-table/react",
      work: Render,
      parameters: { rows: kit.integers(1, 100_000) },
      inputs: ["document"],
    },
    { name: "minify-program/terser", work: Minify },
  ],
  libraries: {
    node: process.versions.node,
    react: `${versions.react} on Node ${process.versions.node}`,
    terser: `${versions.terser} on Node ${process.versions.node}`,
  },
});
