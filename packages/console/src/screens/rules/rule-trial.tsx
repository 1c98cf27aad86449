import type { StoredRule } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useDigits } from '../../data/digits.tsx';
import { backtestOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { AmountField } from '../../ui/fields.tsx';
import { majorOf, minorOf, UNCLEAR } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import { BackTest } from '../back-test/back-test.tsx';
import { isSameDraft, notesOf, putIn, scaled, triedOf, zoneOfRule } from '../back-test/question.ts';

/** Questions that need no writing, and how much of the maximum they leave. */
const WAYS = [
  ['test.half', 0.5],
  ['test.twice', 2],
] as const;

/** What a stored rule would have done with another maximum, or without it: nobody has to edit it. */
export default function RuleTrial({ rule }: { readonly rule: StoredRule }) {
  const { say, locale } = useReading();
  const [draft, write] = useTried(rule);
  const { max = {} } = draft;
  const isWrong = [max.amount, max.count].includes(UNCLEAR);
  const isEmpty = draft.max === undefined && rule.max !== undefined;
  const isRetired = rule.mode === 'retired';
  const ways = isRetired ? [] : WAYS;
  return (
    <I18nProvider locale={locale}>
      <BackTest
        draft={isEmpty || isWrong ? undefined : triedOf(draft)}
        wrong={say('test.noMaximum')}
        notes={notesOf(rule)}
        zone={zoneOfRule(rule)}
      >
        {(ask) => (
          <>
            <p className="run">
              {ways
                .map(([word, factor]) => [word, scaled(rule, factor)] as const)
                .filter(([, tried]) => !isSameDraft(tried, rule))
                .map(([word, tried]) => (
                  <Way
                    key={word}
                    label={say(word)}
                    onPress={() => {
                      write(tried);
                      ask(triedOf(tried));
                    }}
                  />
                ))}
              <Way
                label={say('test.without')}
                onPress={() => {
                  ask({ drop: rule.id });
                }}
              />
            </p>
            {!isRetired && <Maxima rule={draft} write={write} />}
          </>
        )}
      </BackTest>
    </I18nProvider>
  );
}

type Write = (rule: StoredRule) => void;

/** What is tried: as it is written here, or with the maximum of the back-test in the address, or as it is stored. */
function useTried(rule: StoredRule): readonly [StoredRule, Write] {
  const [{ test = '' }] = useAsked();
  const { data } = useQuery({ ...backtestOf(useSession(), test), enabled: test !== '' });
  const [written, write] = useState<StoredRule>();
  const put = putIn(data?.draft);
  const asked = put?.id === rule.id ? { ...rule, max: put.max } : rule;
  return [written ?? asked, write];
}

/** A question that is asked at once. */
function Way({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <button type="button" className="button small" onClick={onPress}>
      {label}
    </button>
  );
}

/** The plain maxima of the rule that is tried; those by attribute are only scaled. */
function Maxima({ rule, write }: { readonly rule: StoredRule; readonly write: Write }) {
  const { say } = useReading();
  const known = useDigits();
  const { currency, max = {} } = rule;
  const digits = rule.digits ?? known(currency ?? '') ?? 0;
  const change = (name: 'amount' | 'count', value: number): void => {
    const { [name]: _before, ...others } = max;
    const maxima = Number.isNaN(value) ? others : { ...others, [name]: value };
    const { max: _max, ...rest } = rule;
    write(Object.keys(maxima).length === 0 ? rest : { ...rest, max: maxima });
  };
  const fields = [
    ['amount', 'edit.maxAmount', digits] as const,
    ['count', 'edit.maxCount', 0] as const,
  ];
  return (
    <div className="pair">
      {fields
        .filter(([name]) => typeof max[name] !== 'object')
        .map(([name, word, scale]) => (
          <AmountField
            key={name}
            label={say(word)}
            {...(name === 'amount' ? { currency } : {})}
            digits={scale}
            value={majorOf(max[name] === undefined ? Number.NaN : Number(max[name]), scale)}
            onChange={(value) => {
              change(name, Number.isNaN(value) ? value : minorOf(value, scale));
            }}
          />
        ))}
    </div>
  );
}
