import js from '@eslint/js';
import { config as hubspot } from '@hubspot/eslint-config-ui-extensions';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig([
  js.configs.recommended,
  tseslint.configs.recommended,
  tseslint.configs.stylistic,
  ...hubspot,
  reactHooks.configs.flat['recommended-latest'],
]);
