import type { RuleChange } from '@headroom-limits/client';
import { useReading } from '../words/words.tsx';
import { Given } from './text.tsx';

/** What a change of a rule does to its sum: the server's own sentence, or the same in Chinese. */
export function EffectText({
  change: { counter, because, sharedWith, overrides, says },
}: {
  readonly change: Pick<RuleChange, 'counter' | 'because' | 'sharedWith' | 'overrides' | 'says'>;
}) {
  const { say, language } = useReading();
  if (language === 'en') return <Given text={says} />;
  const parts = because.map((part) => say(`effect.part.${part}`)).join('、');
  const rules = sharedWith.join('、');
  return (
    <>
      {say(`effect.${counter}`)}
      {parts !== '' && say('effect.because', { parts })}
      {rules !== '' && (
        <>
          {say('effect.shared')}
          <Given text={rules} />
        </>
      )}
      {overrides !== undefined &&
        say(`effect.overrides.${overrides.fate}`, {
          count: overrides.subjects,
          more: overrides.more ? say('effect.overrides.more') : '',
          rule: overrides.rule ?? '',
        })}
    </>
  );
}
