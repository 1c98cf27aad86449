import { createFormHook, createFormHookContexts } from '@tanstack/react-form';
import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';
import { useReading } from '../words/words.tsx';
import type { Scale } from './fields.tsx';
import { AmountField, Choice, TextLine } from './fields.tsx';
import { UNCLEAR } from './written.ts';

const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();

/** What the server says is wrong with a field, by the field's name. */
export const ServerMistakes = createContext<(name: string) => string | undefined>(() => undefined);

/** A field's own mistake, or else the server's. */
function useWrong(): string | undefined {
  const { name, state } = useFieldContext<unknown>();
  const atServer = useContext(ServerMistakes)(name);
  const [own] = state.meta.errors as readonly unknown[]; // each is what a validator gave
  return typeof own === 'string' ? own : atServer;
}

type Words = { readonly label: string; readonly help?: string; readonly isFocused?: boolean };

function Line(words: Words) {
  const { state, handleChange } = useFieldContext<string>();
  return <TextLine {...words} value={state.value} onChange={handleChange} wrong={useWrong()} />;
}

function Amount(words: Words & Scale) {
  const { state, handleChange } = useFieldContext<number>();
  return <AmountField {...words} value={state.value} onChange={handleChange} wrong={useWrong()} />;
}

function OneOf({
  label,
  options,
}: Words & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  const { state, handleChange } = useFieldContext<string>();
  return (
    <Choice
      {...{ label, options }}
      value={state.value}
      onChange={handleChange}
      wrong={useWrong()}
    />
  );
}

function Tick({ label }: Words) {
  const { state, handleChange } = useFieldContext<boolean>();
  const wrong = useWrong();
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={state.value}
        aria-invalid={wrong !== undefined}
        onChange={({ target }) => {
          handleChange(target.checked);
        }}
      />
      <span>{label}</span>
      {wrong !== undefined && <span className="wrong">{wrong}</span>}
    </label>
  );
}

/** A form that sends nothing by itself. */
function Sheet({
  className = 'form',
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const form = useFormContext();
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Makes a form whose fields know how they are written and what is wrong with them. */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { Line, Amount, OneOf, Tick },
  formComponents: { Sheet },
});

/** What the field of an amount needs that may be empty: nothing is sent that may mean two things. */
export function useClearAmount() {
  const { say } = useReading();
  return {
    onSubmit: ({ value }: { readonly value: number }) =>
      value === UNCLEAR ? say('amount.wrong') : undefined,
  };
}

const REASON_LENGTH_MAX = 256;

/** What the field of a reason needs: changes of a subject, and decisions, are made with one. */
export function useReasonField() {
  const { say } = useReading();
  return {
    validators: {
      onSubmit: ({ value }: { readonly value: string }) =>
        value.trim() === '' || value.length > REASON_LENGTH_MAX
          ? say('change.reasonMissing')
          : undefined,
    },
    words: { label: say('change.reason'), help: say('change.reasonHelp') },
  } as const;
}
