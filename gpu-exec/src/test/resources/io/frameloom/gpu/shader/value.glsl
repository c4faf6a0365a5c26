float value() { return 12345.0; }
