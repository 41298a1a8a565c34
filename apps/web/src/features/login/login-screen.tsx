import { Login, type LoginProps } from './login.tsx';
import { LoginFrame } from './login-frame.tsx';

/** The login screen. It needs no component library, so that it can be used before one is loaded. */
export function LoginScreen(props: LoginProps) {
  return (
    <LoginFrame>
      <Login {...props} />
    </LoginFrame>
  );
}
