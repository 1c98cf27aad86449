import { Section } from '../../ui/panel.tsx';
import type { YamlMark } from '../../ui/yaml-field.tsx';
import { YamlField } from '../../ui/yaml-field.tsx';
import { useReading } from '../../words/words.tsx';
import { Marks } from './marks.tsx';
import type { RuleForm } from './rule-form.tsx';
import { wordsAt } from './schema-words.ts';

/** What the fields leave, as YAML, and what is wrong with it. */
export function RestField({
  form,
  marks,
  isInert,
  text,
}: {
  readonly form: RuleForm;
  readonly marks: readonly YamlMark[];
  readonly isInert: boolean;
  readonly text: string;
}) {
  const { say } = useReading();
  return (
    <Section title={say('edit.rest')} isInert={isInert}>
      <form.Field name="rest">
        {({ state, handleChange }) => (
          <YamlField
            label={say('edit.rest')}
            {...{ value: state.value, onChange: handleChange, marks, wordsAt }}
          />
        )}
      </form.Field>
      <p className="fine">{say('edit.restHelp')}</p>
      <Marks marks={marks} text={text} />
    </Section>
  );
}
