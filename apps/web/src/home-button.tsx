import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { paths } from './routing/paths.ts';
import { sharedText } from './text/shared.ts';

export function HomeButton() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate(paths.home)}>{sharedText.home}</Button>;
}
