import { calling, orNotDone, overDatabase, type CallOptions } from '../calls.ts';
import { CommandError } from '../command-error.ts';
import { setting } from '../database-command.ts';
import type { Survey } from './survey.ts';
import { numberText } from '../output.ts';

/** A dry run waits no longer for the rules. */
const DEADLINE_MS = 5_000;

type Named = { readonly currency?: string | undefined; readonly mode?: string | undefined };

/**
 * Warns of currencies that no rule names, in force or on trial: no rule counts amounts in them. Without
 * a deployment or a database it does nothing, because there are no rules to ask.
 */
export async function currencyWarnings(
  { amounts }: Pick<Survey, 'amounts'>,
  options: CallOptions,
): Promise<readonly string[]> {
  if (options.url === undefined && setting('MONGODB_URI') === undefined) return [];
  try {
    const rules = await rulesOf(options);
    const named = currenciesOf(rules);
    // Rules that count payments alone are meant for every currency.
    if (rules.length > 0 && named.size === 0) return [];
    return [...amounts].flatMap(([currency, { count }]) =>
      named.has(currency)
        ? []
        : [
            `${numberText(count)} ${count === 1 ? 'payment is' : 'payments are'} in ${currency}, which no rule names. No maximum counts such amounts. Is the currency right?`,
          ],
    );
  } catch (error) {
    if (error instanceof CommandError) return [error.message];
    throw error;
  }
}

function currenciesOf(rules: readonly Named[]): ReadonlySet<string> {
  const live = rules.filter(({ mode = 'enforce' }) => mode === 'enforce' || mode === 'shadow');
  return new Set(live.flatMap(({ currency }) => currency ?? []));
}

async function rulesOf(options: CallOptions): Promise<readonly Named[]> {
  const notDone = 'Not compared with the rules';
  if (options.url === undefined)
    return orNotDone(notDone, () => overDatabase(({ rules }) => rules(), options.app));
  const calls = { ...options, deadlineMs: DEADLINE_MS };
  const { rules } = await calling(notDone, calls, (client) => client.rules.list());
  return rules;
}
