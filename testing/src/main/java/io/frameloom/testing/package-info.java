/** What every test JVM of the project shares: the watchdog and the JUnit defaults. */
@NullMarked
package io.frameloom.testing;

import org.jspecify.annotations.NullMarked;
