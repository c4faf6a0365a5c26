/** jcstress and Lincheck tests on the shipped classes. */
@NullMarked
package io.frameloom.stress;

import org.jspecify.annotations.NullMarked;
