package io.frameloom.rdg.parameter;

import io.frameloom.gpu.pipeline.ShaderStage;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The pass samples it: a texture, a view of one, or a list of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sampled {
    /**
     * Returns the stages of a raster pass that sample it. A compute pass has but one, and names a stage of rays if it
     * traces them by a pipeline.
     */
    ShaderStage[] stages() default ShaderStage.FRAGMENT;

    /** Returns the name in the shader; that of the component if empty. */
    String binding() default "";
}
