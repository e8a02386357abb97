// The op of json-parse-api/node without sizeup. usage: node json_loop.js DOCUMENT WARM_UP_NS SAMPLE_NS
"use strict";

const [document, warmUp, sample] = process.argv.slice(2);
const bytes = require("node:fs").readFileSync(document);
let tree;

function stretch(leastNs) {
  const start = process.hrtime.bigint();
  const before = process.cpuUsage();
  let ops = 0;
  do {
    tree = JSON.parse(bytes.toString("utf8"));
    ops += 1;
  } while (process.hrtime.bigint() - start < leastNs);
  const { user, system } = process.cpuUsage(before);
  return `ops ${ops}\ncpu_ns ${1000 * (user + system)}`;
}

stretch(BigInt(warmUp));
console.log(`${stretch(BigInt(sample))}\norders ${tree.orders.length}`);
