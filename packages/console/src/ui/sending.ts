import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** A change on its way, and how it ended. */
export type SendingState<Draft, Answer> = {
  readonly send: (draft: Draft) => void;
  /** The very same once more, after no answer. */
  readonly sendAgain: () => void;
  readonly reset: () => void;
  readonly isSending: boolean;
  /** It takes so long that it has been sent more than once. */
  readonly isSlow: boolean;
  readonly error: unknown;
  readonly answer: Answer | undefined;
  /** The last request. */
  readonly sent: Draft | undefined;
};

/** After so long somebody who waits wants to know. */
const SLOW_MS = 1_500;

/** Sends a change, and tells how that goes. Closing the page gives it up. */
export function useSending<Draft, Answer>(
  run: (draft: Draft, signal: AbortSignal) => Promise<Answer>,
): SendingState<Draft, Answer> {
  const [isSlow, setSlow] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      leaving.current?.abort();
    },
    [],
  );
  const { mutate, variables, reset, isPending, error, data } = useMutation<Answer, unknown, Draft>({
    mutationFn: async (draft) => {
      const controller = new AbortController();
      leaving.current = controller;
      const timer = setTimeout(() => {
        setSlow(true);
      }, SLOW_MS);
      try {
        return await run(draft, controller.signal);
      } finally {
        clearTimeout(timer);
        setSlow(false);
      }
    },
  });
  return {
    send: (draft) => {
      mutate(draft);
    },
    sendAgain: () => {
      if (variables !== undefined) mutate(variables);
    },
    reset,
    isSending: isPending,
    isSlow,
    error,
    answer: data,
    sent: variables,
  };
}
