import { useQueryClient } from '@tanstack/react-query';
import type { SecondFactorNeed } from '@tongtu/contract';
import { use } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { forgetUser, useApi } from '../../api/index.ts';
import { forgottenPassword, secondStepState } from '../../paths.ts';
import { SolveContext } from '../captcha/use-captcha.tsx';
import { Gate } from './gate.tsx';
import type { GateDeps } from './gate-deps.ts';

/** The gate inside the console, for those who come from one of its screens. */
export function CheckPage() {
  const [search] = useSearchParams();
  const { call, endSession } = useApi();
  const solve = use(SolveContext);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deps: GateDeps = {
    call,
    endSession,
    solve,
    goTo: (path, { isReplacing = false } = {}) => void navigate(path, { replace: isReplacing }),
    goToSecondStep: (need: SecondFactorNeed, path) =>
      void navigate(path, { replace: true, state: secondStepState(need) }),
    goToForgotten: (path: string) => void navigate(path, { state: forgottenPassword }),
    forgetUser: () => forgetUser(queryClient),
  };
  return <Gate deps={deps} visit={{ url: search.get('url') ?? '', share: search.get('share') || undefined }} />;
}
