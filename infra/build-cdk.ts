/** The program of `npm run build:cdk`. */
import { buildCdk } from './cdk.ts';

buildCdk();
