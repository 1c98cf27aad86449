import { LEVELS } from './finding.ts';
import * as say from './words.ts';

/** The answer of `health`. */

const LEVEL_MEANINGS =
  '`ok`; `unknown`: the database user may not see it; `warning`: look at it soon; `fault`: calls fail, or will fail.';

const finding = say.named(
  'Finding',
  'One thing that Headroom looked at.',
  {
    name: say.text('Its name, such as `indexes`.'),
    level: say.oneOf(LEVELS, LEVEL_MEANINGS),
    says: say.text('Its state, in a sentence for operators. It may name subjects.'),
  },
  { todo: say.text('The next step, if there is one.') },
);

/** The answer of `health`. */
export const healthAnswer = say.named('HealthAnswer', 'The state of the deployment.', {
  version: say.text('The version of Headroom that answers.'),
  worst: say.oneOf(LEVELS, 'The worst level of all findings.'),
  findings: say.list(finding, 'In the order of `headroom doctor`.'),
});
