import { isProblemError, NoAnswerError } from 'headroom-client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  Button,
  Dialog,
  FieldError,
  Group,
  Heading,
  I18nProvider,
  Input,
  Label,
  Modal,
  ModalOverlay,
  NumberField,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import { useReading } from '../words/words.tsx';
import { Failure } from './panel.tsx';
import type { SendingState } from './sending.ts';
import { langOf } from './text.tsx';
import { digitsOf } from './written.ts';

/** A dialog over the page, which Escape closes. */
export function Box({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { locale } = useReading();
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay
        className="veil"
        isOpen
        isDismissable={false}
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
      >
        <Modal className="modal">
          <Dialog className="dialog">
            <Heading slot="title">{title}</Heading>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}

/** What every field may say. */
type FieldProps<Value> = {
  readonly label: string;
  readonly help?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly wrong?: string | undefined;
  readonly isFocused?: boolean;
};

/** An amount in major units as people of the locale write it, or a plain number without a currency. */
export function AmountField({
  label,
  currency,
  value,
  onChange,
  wrong,
  isFocused = false,
}: FieldProps<number> & { readonly currency?: string | undefined }) {
  const digits = digitsOf(currency);
  const isMoney = currency !== undefined && /^[A-Z]{3}$/.test(currency) && currency !== 'XXX';
  const format: Intl.NumberFormatOptions = isMoney
    ? {
        ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
        minimumFractionDigits: digits,
      }
    : { maximumFractionDigits: digits };
  return (
    <NumberField
      className="field"
      value={value}
      onChange={onChange}
      minValue={0}
      formatOptions={format}
      isInvalid={wrong !== undefined}
      validationBehavior="aria"
      // eslint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins with its first question
      autoFocus={isFocused}
    >
      <Label className="label">{label}</Label>
      <Group>
        <Input className="figure" />
      </Group>
      <FieldError className="wrong">{wrong}</FieldError>
    </NumberField>
  );
}

/** A line of text. */
export function TextLine({
  label,
  help,
  value,
  onChange,
  wrong,
  isFocused = false,
}: FieldProps<string>) {
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={wrong !== undefined}
      validationBehavior="aria"
      autoFocus={isFocused}
    >
      <Label className="label">{label}</Label>
      <Input maxLength={256} autoComplete="off" />
      {help !== undefined && (
        <Text slot="description" className="fine">
          {help}
        </Text>
      )}
      <FieldError className="wrong">{wrong}</FieldError>
    </TextField>
  );
}

/** A text of several lines. */
export function Area({ label, help, value, onChange, wrong }: FieldProps<string>) {
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={wrong !== undefined}
      validationBehavior="aria"
    >
      <Label className="label">{label}</Label>
      <TextArea rows={6} spellCheck="false" />
      {help !== undefined && (
        <Text slot="description" className="fine">
          {help}
        </Text>
      )}
      <FieldError className="wrong">{wrong}</FieldError>
    </TextField>
  );
}

/** One of several. */
export function Choice({
  label,
  value,
  onChange,
  options,
}: FieldProps<string> & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Somebody else was first. */
const CHANGED_CODES = ['TERMS_CHANGED', 'RULE_CHANGED', 'VERSION_REQUIRED'] as const;

/** How a change goes that was sent. */
export const Sending = {
  Progress({
    sending: { isSending, isSlow, error, sendAgain },
    onReread,
  }: {
    readonly sending: SendingState<never, unknown> | SendingState<any, unknown>; // eslint-disable-line typescript/no-explicit-any -- what was sent does not matter here
    readonly onReread?: () => void;
  }) {
    const { say } = useReading();
    if (isSending)
      return (
        <p className="notice" role="status">
          {say(isSlow ? 'change.sendingAgain' : 'change.sending')}
        </p>
      );
    if (error === null || error === undefined) return null;
    if (error instanceof NoAnswerError)
      return (
        <div className="notice failed" role="alert">
          <p>{say('change.unknown')}</p>
          <button type="button" className="button small" onClick={sendAgain}>
            {say('change.sendAgain')}
          </button>
        </div>
      );
    const isChanged = isProblemError(error, ...CHANGED_CODES);
    return (
      <Failure
        error={error}
        retry={say('change.reread')}
        {...(isChanged && onReread !== undefined ? { onRetry: onReread } : {})}
      />
    );
  },

  Buttons({
    sending: { isSending },
    submit,
    isDanger = false,
    onClose,
  }: {
    readonly sending: { readonly isSending: boolean };
    readonly submit: string;
    readonly isDanger?: boolean;
    readonly onClose: () => void;
  }) {
    const { say } = useReading();
    return (
      <p className="dialog-end">
        <Button className="button" onPress={onClose}>
          {say('change.cancel')}
        </Button>
        <Button
          type="submit"
          className={isDanger ? 'button danger-full' : 'button primary'}
          isDisabled={isSending}
        >
          {submit}
        </Button>
      </p>
    );
  },

  Done({
    says,
    proposal,
    onClose,
  }: {
    readonly says: string;
    readonly proposal?: string | undefined;
    readonly onClose: () => void;
  }) {
    const { say } = useReading();
    return (
      <>
        <p className="notice done" role="status">
          <span className="mark" aria-hidden="true">
            ✓
          </span>{' '}
          {says}
        </p>
        <p className="dialog-end">
          {proposal !== undefined && (
            <Link
              className="button"
              to="/approvals"
              search={(before: object) => ({ ...langOf(before), open: proposal })}
              onClick={onClose}
            >
              {say('change.toProposal')}
            </Link>
          )}
          <Button className="button primary" autoFocus onPress={onClose}>
            {say('change.close')}
          </Button>
        </p>
      </>
    );
  },
};
