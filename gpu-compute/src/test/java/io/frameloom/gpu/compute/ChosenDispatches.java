package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.Pipeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Lists that are asked for each dispatch whether to record it, by the name of its pipeline; for {@link ComputeRig#lists}. */
final class ChosenDispatches {
    private ChosenDispatches() {}

    static UnaryOperator<CommandList> by(Predicate<String> records) {
        return list -> of(list, records);
    }

    private static CommandList of(CommandList list, Predicate<String> records) {
        String[] bound = {""};
        return (CommandList) Proxy.newProxyInstance(
                CommandList.class.getClassLoader(), new Class<?>[] {CommandList.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("bindPipeline")) {
                        bound[0] = ((Pipeline) arguments[0]).name();
                    }
                    if (method.getName().equals("dispatch") && !records.test(bound[0])) {
                        return null;
                    }
                    try {
                        return method.invoke(list, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
