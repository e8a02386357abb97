// Strict where types are known; a rule that is off says why.

import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/** Where text would be taken for more than text, or come in by another way than `dataOf`, which makes all of it visible. */
const SINKS = [
  ["MemberExpression[property.name=/^(innerHTML|outerHTML|srcdoc)$/]", "data are text: set textContent"],
  [
    "CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|parseFromString)$/]",
    "data are text: make elements, and set textContent",
  ],
  [
    "CallExpression[callee.object.name='document'][callee.property.name=/^write(ln)?$/]",
    "data are text: make elements",
  ],
  ["CallExpression[callee.name='parseHTML'] > :not(Literal).arguments", "data are text: parse none"],
  ["JSXAttribute[name.name='dangerouslySetInnerHTML']", "data are text: write it as a child"],
  [
    "CallExpression[callee.property.name='setAttribute'] > Literal.arguments[value=/^(on|srcdoc$)/i]",
    "data run nothing",
  ],
  [
    "JSXAttribute[name.name=/^(href|src|action|formAction|xlinkHref)$/] > JSXExpressionContainer > :not(Literal, TemplateLiteral)",
    "an address begins with a text of ours, so that it is no javascript:",
  ],
  [
    "JSXAttribute[name.name=/^(href|src|action|formAction|xlinkHref)$/] TemplateLiteral[quasis.0.value.raw='']",
    "an address begins with a text of ours, so that it is no javascript:",
  ],
  [
    "CallExpression[callee.object.name='JSON'][callee.property.name='parse']",
    "read data by dataOf of data.ts",
  ],
  ["CallExpression[callee.property.name='json']", "read data by dataOf of data.ts"],
].map(([selector, message]) => ({ selector, message }));

export default defineConfig(
  globalIgnores(["dist", "test-results"]),
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers have one way of becoming text; what must be rounded says so by itself.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => setNear(true)` and `() => void save()` are how handlers are written.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // It asks for `!`, which the strict rules refuse.
      "@typescript-eslint/non-nullable-type-assertion-style": "off",
      "no-console": "error",
      "no-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["src/**"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { "no-restricted-syntax": ["error", ...SINKS] },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.strict],
  },
);
