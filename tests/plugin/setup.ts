import { setup } from "obsidian-test-mocks/setup";

setup();
