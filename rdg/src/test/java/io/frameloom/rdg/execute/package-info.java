/** Tests of the execution of frame plans. */
@NullMarked
package io.frameloom.rdg.execute;

import org.jspecify.annotations.NullMarked;
