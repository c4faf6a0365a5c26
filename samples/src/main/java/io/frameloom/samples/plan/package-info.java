/** {@code frameloom plan}: compiles graphs from files and prints their plans. */
@NullMarked
package io.frameloom.samples.plan;

import org.jspecify.annotations.NullMarked;
