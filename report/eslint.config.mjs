// Strict where types are known; a rule that is off says why.

import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

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
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.strict],
  },
);
