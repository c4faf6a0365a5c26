/** Races of the compiled engine. */
@NullMarked
package io.frameloom.stress.compiled;

import org.jspecify.annotations.NullMarked;
