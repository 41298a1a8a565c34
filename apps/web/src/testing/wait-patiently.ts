import { configure } from '@testing-library/react';

// What a screen comes to is waited for as long as a test may take: how fast a busy machine draws it is no matter of a test.
configure({ asyncUtilTimeout: 15_000 });
