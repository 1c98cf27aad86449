import { join } from 'node:path';
import { ROOT } from '../../infra/framework.ts';

/** Where the description of the calls stands in the repository. */
export const DOCUMENT_PATH = join(ROOT, 'docs', 'openapi.json');

/** Where the schema of rule files stands. */
export const RULES_SCHEMA_PATH = join(ROOT, 'docs', 'rules.schema.json');
