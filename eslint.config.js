import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['node_modules/', '.headroom/', '.serverless/', '.esbuild/', 'coverage/', '**/dist/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'max-lines-per-function': ['error', { max: 70, skipComments: true, skipBlankLines: true }],
      'no-console': 'error',
    },
  },
  {
    // A describe block is one function; its length says nothing about its rows.
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['examples/**/*.mjs'],
    languageOptions: { globals: { console: 'readonly', fetch: 'readonly', URL: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  {
    // Programs for a terminal, and the plain JavaScript that runs before anything is installed.
    files: ['bin/*.mjs', 'infra/**/*.ts', 'infra/**/*.mjs', 'bench/**/*.ts', 'packages/*/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
);
