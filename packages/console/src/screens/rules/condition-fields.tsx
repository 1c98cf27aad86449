import { useContext } from 'react';
import { ServerMistakes } from '../../ui/form.tsx';
import { Rows } from '../../ui/rows.tsx';
import { useReading } from '../../words/words.tsx';
import type { RuleForm } from './rule-form.tsx';
import { NO_CONDITION } from './scope-draft.ts';

/** Conditions on payments, a row each. All of them must hold; of several values, one. */
export function ConditionFields({
  form,
  list,
  title,
  help,
}: {
  readonly form: RuleForm;
  readonly list: 'counts' | 'appliesTo' | 'minus';
  readonly title: string;
  readonly help: string;
}) {
  const { say } = useReading();
  const { AppField } = form;
  const wrong = useContext(ServerMistakes)(list);
  return (
    <form.Field name={list} mode="array">
      {(rows) => (
        <Rows
          {...{ title, help, count: rows.state.value.length }}
          addWord={say('edit.addCondition')}
          onAdd={() => {
            rows.pushValue(NO_CONDITION);
          }}
          onRemove={rows.removeValue}
          row={(index) => (
            <>
              <AppField name={`${list}[${index}].name`}>
                {({ Line }) => <Line label={say('edit.attribute')} />}
              </AppField>
              <form.Field name={`${list}[${index}].isNot`}>
                {({ state, handleChange }) => (
                  <label className="field narrow">
                    <span className="label">{say('edit.relation')}</span>
                    <select
                      value={state.value ? 'not' : 'is'}
                      onChange={({ target }) => {
                        handleChange(target.value === 'not');
                      }}
                    >
                      <option value="is">{say('edit.is')}</option>
                      <option value="not">{say('edit.isNot')}</option>
                    </select>
                  </label>
                )}
              </form.Field>
              <AppField name={`${list}[${index}].values`}>
                {({ Line }) => <Line label={say('edit.values')} />}
              </AppField>
            </>
          )}
        >
          {wrong !== undefined && <p className="wrong">{wrong}</p>}
        </Rows>
      )}
    </form.Field>
  );
}
