/** What goes wrong: the exceptions that devices, compilers and surfaces throw. */
@NullMarked
package io.frameloom.gpu.error;

import org.jspecify.annotations.NullMarked;
