/** The program of `npm run build:cdk`. */
import { buildCdk } from '../infra/cdk.ts';

buildCdk();
