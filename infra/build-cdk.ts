/** What `npm run build:cdk` does. */
import { buildCdk } from './cdk.ts';

buildCdk();
