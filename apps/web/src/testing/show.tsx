import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { type Api, ApiProvider } from '../api/index.ts';
import { QuestionProvider } from '../ui/dialog/question-provider.tsx';
import { componentConfig } from '../ui/theme/component-config.ts';

type Answer = (input: unknown) => unknown;

/** Renders a component with a fake server, whose answers have the call's key, and records the calls. */
export function show(
  part: ReactNode,
  answers: Record<string, Answer>,
  { at = '/' }: { at?: string } = {},
): { key: string; input: unknown }[] {
  const calls: { key: string; input: unknown }[] = [];
  const call = async (key: string, input: unknown) => {
    calls.push({ key, input });
    const answer = answers[key];
    if (!answer) throw new Error(`no answer for ${key}`);
    return await answer(input);
  };
  const api = { call, endSession: async () => undefined, logoutUrl: () => '/custom/logout' } as unknown as Api; // the caller lists the answers that the test needs
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ApiProvider value={api}>
        {/* As in the app. Motion would outlast the test. */}
        <ConfigProvider
          {...componentConfig}
          theme={{ zeroRuntime: true, token: { motion: false } }}
          wave={{ disabled: true }}
        >
          <App>
            <QuestionProvider>
              <MemoryRouter initialEntries={[at]}>{part}</MemoryRouter>
            </QuestionProvider>
          </App>
        </ConfigProvider>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}
