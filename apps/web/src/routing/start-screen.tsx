import { useEffect } from 'react';
import { useLoaderData } from 'react-router';
import type { LoginLoaderData } from './route-loaders.ts';
import { loginText } from '../text/login/login.ts';
import { FullPage } from '../ui/page/full-page.tsx';
import { PlainSpinner } from '../ui/plain/plain-spinner.tsx';
import { StatusCard } from '../ui/page/status-card.tsx';

/** The gate and the login are the start page's: the page is loaded anew at their address. */
export function StartScreen() {
  useEffect(() => window.location.reload(), []);
  return <FullPage>{null}</FullPage>;
}

/** Sends a user who is logged in where the login should lead. */
export function LoginPage() {
  const { leaveTo } = useLoaderData<LoginLoaderData>();
  return leaveTo === undefined ? <StartScreen /> : <Leaving to={leaveTo} />;
}

function Leaving({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return (
    <FullPage>
      <StatusCard tone="accent" icon={<PlainSpinner />} title={loginText.leaving} />
    </FullPage>
  );
}
