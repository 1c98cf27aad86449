import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useContext, useMemo } from 'react';
import { digitsOf, isoDigits } from '../../../../lib/shared/currency.ts';
import { useSession } from '../session.tsx';
import { callerOf } from './queries.ts';

/** Says how many digits a currency has after the point; undefined as long as nobody knows. */
export type Digits = (currency: string) => number | undefined;

const DigitsContext = createContext<Digits>(isoDigits);

/** How currencies are scaled here: as ISO 4217 says, and for others as the rules of the deployment say. */
export function useDigits(): Digits {
  return useContext(DigitsContext);
}

/** Asks the deployment for the digits of currencies that ISO 4217 does not have. */
export function DigitsProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(callerOf(useSession()));
  const currencies = data?.currencies;
  const digits = useMemo((): Digits => {
    if (currencies === undefined) return isoDigits;
    return (code) =>
      digitsOf(code, Object.hasOwn(currencies, code) ? currencies[code]?.digits : undefined);
  }, [currencies]);
  return <DigitsContext.Provider value={digits}>{children}</DigitsContext.Provider>;
}
