import { isProblemError, NoAnswerError } from '@headroom-limits/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Button, Dialog, Heading, I18nProvider, Modal, ModalOverlay } from 'react-aria-components';
import { useReading } from '../words/words.tsx';
import { Failure } from './panel.tsx';
import type { SendingState } from './sending.ts';
import { Mark, langOf } from './text.tsx';

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

/** Somebody else was first. */
const CHANGED_CODES = ['TERMS_CHANGED', 'RULE_CHANGED', 'VERSION_REQUIRED'] as const;

/** How a change goes that was sent. */
export function SendingProgress({
  sending: { isSending, isSlow, error, sendAgain },
  isDry = false,
  onReread,
}: {
  readonly sending: SendingState<never, unknown> | SendingState<any, unknown>; // eslint-disable-line typescript/no-explicit-any -- what was sent does not matter here
  /** Whether it is only asked what would change. */
  readonly isDry?: boolean;
  readonly onReread?: () => void;
}) {
  const { say } = useReading();
  if (isSending)
    return (
      <p className="notice" role="status">
        {say(isDry ? 'state.loading' : isSlow ? 'change.sendingAgain' : 'change.sending')}
      </p>
    );
  if (error === null || error === undefined) return null;
  if (error instanceof NoAnswerError && isDry) return <Failure error={error} onRetry={sendAgain} />;
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
}

/** The end of a form whose change is sent. */
export function SendingButtons({
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
}

/** A change is made, or waits for a second person. However this is left, everything is read again. */
export function SendingDone({
  says,
  proposal,
  onClose,
  children,
}: {
  readonly says: string;
  /** What was done, in figures. */
  readonly children?: ReactNode;
  readonly proposal?: string | undefined;
  readonly onClose: () => void;
}) {
  const { say } = useReading();
  const queries = useQueryClient();
  useEffect(() => () => void queries.invalidateQueries(), [queries]);
  const waits = proposal !== undefined;
  return (
    <>
      <p className={waits ? 'notice warn told' : 'notice done told'} role="status">
        <Mark sign={waits ? '▲' : '✓'} />
        <span>{says}</span>
      </p>
      {children}
      <p className="dialog-end">
        {waits && (
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
}
